import NeatBase
