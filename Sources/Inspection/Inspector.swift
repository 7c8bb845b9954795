public enum Inspector {}
